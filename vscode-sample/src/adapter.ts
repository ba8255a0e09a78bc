import * as vscode from "vscode";
import { environment, launcher } from "./eremite";

/** The part of the protocol's messages that is looked at. */
interface Message {
  readonly type?: string;
  readonly event?: string;
  readonly body?: { readonly threadId?: number };
}

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

  readonly onStopped = this.stoppedEmitter.event;
  /** A session goes on, or ends. */
  readonly onMoved = this.movedEmitter.event;

  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    return {
      onDidSendMessage: (message: Message) => {
        if (message.type !== "event") {
          return;
        }
        if (message.event === "stopped") {
          this.threads.set(session.id, message.body?.threadId ?? this.thread(session));
          this.stoppedEmitter.fire(session);
        } else if (message.event === "continued" || message.event === "terminated") {
          this.movedEmitter.fire(session);
        }
      },
      onExit: () => {
        this.threads.delete(session.id);
        this.movedEmitter.fire(session);
      },
    };
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
