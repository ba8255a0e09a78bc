import * as vscode from "vscode";
import { environment, launcher } from "./eremite";

/** The part of the protocol's messages that is looked at. */
interface Message {
  readonly type?: string;
  readonly command?: string;
  readonly success?: boolean;
  readonly event?: string;
  readonly body?: { readonly threadId?: number };
}

const MOVEMENTS = new Set([
  "continue",
  "reverseContinue",
  "next",
  "stepBack",
  "stepIn",
  "stepOut",
  "restartFrame",
  "goto",
  "restart",
  "eremite/seek",
  "eremite/seekToOutput",
  "eremite/reverseStepIn",
  "eremite/reverseStepOut",
]);

/** Starts `eremite dap` for each session. */
export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
    return new vscode.DebugAdapterExecutable(launcher(), ["dap"], { env: environment() });
  }
}

/** Completes configurations: F5 without any opens the latest recording. */
export class ConfigurationProvider implements vscode.DebugConfigurationProvider {
  resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration {
    const whole: vscode.DebugConfiguration =
      configuration.type === undefined || configuration.type === ""
        ? { type: "eremite", request: "launch", name: "Latest recording", recording: "latest", stopAt: "crash" }
        : { ...configuration };
    if (typeof whole["program"] === "string" && whole["cwd"] === undefined && folder !== undefined) {
      whole["cwd"] = folder.uri.fsPath;
    }
    return whole;
  }
}

/** Hears of each stop and each movement of Eremite's sessions. */
export class Listener implements vscode.DebugAdapterTrackerFactory {
  private readonly stoppedEmitter = new vscode.EventEmitter<vscode.DebugSession>();
  private readonly movedEmitter = new vscode.EventEmitter<vscode.DebugSession>();
  private readonly threads = new Map<string, number>();
  private readonly stopped = new Set<string>();

  readonly onStopped = this.stoppedEmitter.event;
  /** A session goes on, or ends. */
  readonly onMoved = this.movedEmitter.event;

  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    let before = false;
    const moves = () => {
      before = this.stopped.delete(session.id);
      this.movedEmitter.fire(session);
    };
    const stands = () => {
      this.stopped.add(session.id);
      this.stoppedEmitter.fire(session);
    };
    return {
      onWillReceiveMessage: (message: Message) => {
        if (message.type === "request" && MOVEMENTS.has(message.command ?? "")) {
          moves();
        }
      },
      onDidSendMessage: (message: Message) => {
        if (message.success === false && before && MOVEMENTS.has(message.command ?? "")) {
          stands();
        }
        if (message.type !== "event") {
          return;
        }
        if (message.event === "stopped") {
          this.threads.set(session.id, message.body?.threadId ?? this.thread(session));
          stands();
        } else if (message.event === "continued" || message.event === "terminated") {
          moves();
        }
      },
      onExit: () => {
        this.threads.delete(session.id);
        moves();
      },
    };
  }

  /** Whether the program of a session stands still, so that it can be asked about positions. */
  isStopped(session: vscode.DebugSession): boolean {
    return this.stopped.has(session.id);
  }

  /** The thread that is selected in the editor, else the one that stopped last. */
  thread(session: vscode.DebugSession): number {
    const item = vscode.debug.activeStackItem;
    if (item !== undefined && item.session.id === session.id) {
      return item.threadId;
    }
    return this.threads.get(session.id) ?? 1;
  }
}
