import * as path from "node:path";
import * as vscode from "vscode";
import { type Recording, recordings, remove } from "./eremite";

/** The view of all recordings, the newest first. */
export class RecordingsView implements vscode.TreeDataProvider<Recording> {
  private readonly changed = new vscode.EventEmitter<void>();

  readonly onDidChangeTreeData = this.changed.event;

  refresh(): void {
    this.changed.fire();
  }

  async getChildren(element?: Recording): Promise<Recording[]> {
    return element === undefined ? (await recordings()).reverse() : [];
  }

  getTreeItem(recording: Recording): vscode.TreeItem {
    const item = new vscode.TreeItem(command(recording));
    item.id = recording.id;
    item.description = `${ending(recording)} · ${new Date(recording.created).toLocaleString()}`;
    item.tooltip = `${recording.id}\n${recording.argv.join(" ")}\n${recording.events} events, ${Math.ceil(recording.bytes / 1024)} KiB`;
    item.iconPath = new vscode.ThemeIcon(icon(recording));
    return item;
  }
}

/** Starts to debug a recording; at its crash if there is one. */
export async function debug(recording: Recording): Promise<void> {
  await vscode.debug.startDebugging(undefined, {
    type: "eremite",
    request: "launch",
    name: command(recording),
    recording: recording.id,
    stopAt: recording.signal !== 0 ? "crash" : "main",
  });
}

/** Asks for a recording and debugs it. */
export async function open(): Promise<void> {
  const all = (await recordings()).reverse();
  const chosen = await vscode.window.showQuickPick(
    all.map((recording) => ({
      label: command(recording),
      description: ending(recording),
      detail: `${recording.id} · ${recording.events} events`,
      recording,
    })),
    { placeHolder: all.length === 0 ? "Nothing has been recorded yet" : "The recording to debug", matchOnDetail: true },
  );
  if (chosen !== undefined) {
    await debug(chosen.recording);
  }
}

/** Asks for a command, records it, and debugs the recording. */
export async function recordAndDebug(memory: vscode.Memento): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const line = await vscode.window.showInputBox({
    title: "Record and debug",
    prompt: "The program, by its path, and its arguments",
    value: memory.get<string>("command", folder === undefined ? "" : "./a.out"),
  });
  const words = line === undefined ? [] : split(line);
  const [program, ...args] = words;
  if (line === undefined || program === undefined) {
    return;
  }
  await memory.update("command", line);
  const file = folder === undefined ? program : path.resolve(folder.uri.fsPath, program);
  await vscode.debug.startDebugging(folder, {
    type: "eremite",
    request: "launch",
    name: line,
    program: file,
    args,
    stopAt: "main",
  });
}

/** Deletes a recording after a question. */
export async function ask(recording: Recording): Promise<boolean> {
  const answer = await vscode.window.showWarningMessage(
    `Delete the recording of ${command(recording)}?`,
    { modal: true, detail: recording.id },
    "Delete",
  );
  if (answer !== "Delete") {
    return false;
  }
  await remove(recording.id);
  return true;
}

/** Words as a shell takes them, with quotes and backslashes but without variables. */
export function split(line: string): string[] {
  const words: string[] = [];
  for (const match of line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs)) {
    words.push(
      match[0].replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, (_all, double?: string, single?: string, one?: string) =>
        double === undefined ? (single ?? one ?? "") : double.replace(/\\(["\\$`])/g, "$1"),
      ),
    );
  }
  return words;
}

/** The command in few words: the folder of its program tells little. */
function command(recording: Recording): string {
  const [program, ...args] = recording.argv;
  return [path.basename(program ?? ""), ...args].join(" ");
}

function ending(recording: Recording): string {
  if (recording.state !== "complete") {
    return recording.state;
  }
  return recording.signal !== 0 ? `killed by signal ${recording.signal}` : `status ${recording.status}`;
}

function icon(recording: Recording): string {
  if (recording.state !== "complete") {
    return "circle-outline";
  }
  return recording.signal !== 0 ? "flame" : recording.status !== 0 ? "error" : "pass";
}
