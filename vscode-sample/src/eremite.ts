import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

/** A recording, as `eremite record list --json` tells of it. */
export interface Recording {
  readonly id: string;
  readonly created: string;
  readonly state: string;
  readonly argv: readonly string[];
  readonly status: number;
  readonly signal: number;
  readonly events: number;
  readonly bytes: number;
}

const LARGEST_ANSWER = 256 * 1024 * 1024;

/**
 * The program to start: the setting `eremite.path`, else `eremite` from PATH, else the launcher of a checkout that holds
 * an open folder.
 *
 * @throws Error where there is none
 */
export function launcher(): string {
  const configured = vscode.workspace.getConfiguration("eremite").get<string>("path", "");
  if (configured !== "") {
    return configured;
  }
  const found = (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, "eremite"))
    .find(executable);
  const launched = found ?? checkout();
  if (launched === undefined) {
    throw new Error("eremite is not on PATH: install it, or set eremite.path to where it is.");
  }
  return launched;
}

/** The variables that the program gets besides those of the editor. */
export function environment(): Record<string, string> {
  const data = vscode.workspace.getConfiguration("eremite").get<string>("dataDirectory", "");
  return data === "" ? {} : { EREMITE_DATA_DIR: data };
}

/** All recordings, the oldest first. */
export async function recordings(): Promise<Recording[]> {
  return JSON.parse(await run(["record", "list", "--json"])) as Recording[];
}

/** Deletes a recording. */
export async function remove(id: string): Promise<void> {
  await run(["record", "rm", id]);
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...environment() }, maxBuffer: LARGEST_ANSWER };
    execFile(launcher(), args, options, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else {
        reject(new Error(stderr.trim() === "" ? error.message : stderr.trim()));
      }
    });
  });
}

function checkout(): string | undefined {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    let at = folder.uri.fsPath;
    for (let above = path.dirname(at); above !== at; at = above, above = path.dirname(at)) {
      const candidate = path.join(above, "eremite");
      if (executable(candidate) && existsSync(path.join(above, "scripts", "build.sh"))) {
        return candidate;
      }
    }
  }
  return undefined;
}

function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
