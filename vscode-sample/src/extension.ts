import * as vscode from "vscode";
import { AdapterFactory, ConfigurationProvider, Listener } from "./adapter";
import type { Recording } from "./eremite";
import { RecordingsView, ask, debug, open, recordAndDebug } from "./recordings";
import { TimeTravel } from "./requests";
import { Timeline } from "./timeline";

/** Called by the editor when the extension is first needed. */
export function activate(context: vscode.ExtensionContext): void {
  const listener = new Listener();
  const view = new RecordingsView();
  const timeline = new Timeline(context.extensionUri, listener);

  function command(name: string, action: (recording: Recording) => Promise<unknown>): vscode.Disposable {
    return vscode.commands.registerCommand(`eremite.${name}`, async (recording: Recording) => {
      try {
        await action(recording);
      } catch (error) {
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      }
    });
  }

  async function step(way: (travel: TimeTravel, thread: number) => Promise<void>): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type === "eremite") {
      await way(new TimeTravel(session), listener.thread(session));
    }
  }

  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("eremite", new AdapterFactory()),
    vscode.debug.registerDebugConfigurationProvider("eremite", new ConfigurationProvider()),
    vscode.debug.registerDebugAdapterTrackerFactory("eremite", listener),
    vscode.window.registerTreeDataProvider("eremite.recordings", view),
    vscode.window.registerWebviewViewProvider("eremite.timeline", timeline),
    command("recordAndDebug", () => recordAndDebug(context.workspaceState)),
    command("openRecording", open),
    command("refreshRecordings", async () => view.refresh()),
    command("debugRecording", debug),
    command("deleteRecording", async (recording) => {
      if (await ask(recording)) {
        view.refresh();
      }
    }),
    command("reverseStepIn", () => step((travel, thread) => travel.reverseStepIn(thread))),
    command("reverseStepOut", () => step((travel, thread) => travel.reverseStepOut(thread))),
    command("addCheckpoint", () => timeline.addCheckpoint()),
    vscode.debug.onDidStartDebugSession((session) => {
      if (session.type === "eremite") {
        view.refresh();
      }
    }),
  );
}
