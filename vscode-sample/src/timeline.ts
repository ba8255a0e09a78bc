import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Listener } from "./adapter";
import type { FromPage, ToPage } from "./messages";
import { TimeTravel } from "./requests";

/** The view that shows a recording along time, and travels to where it is clicked. */
export class Timeline implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private session: vscode.DebugSession | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly listener: Listener,
  ) {
    listener.onStopped((session) => {
      this.session = session;
      void this.report(() => this.showPosition());
    });
    listener.onMoved((session) => {
      if (session.id === this.session?.id) {
        this.post({ type: "moving" });
      }
    });
    vscode.debug.onDidTerminateDebugSession((session) => {
      if (session.id === this.session?.id) {
        this.session = undefined;
        this.post({ type: "nothing", reason: "" });
      }
    });
    vscode.debug.onDidChangeActiveDebugSession((session) => {
      if (session?.type === "eremite" && session.id !== this.session?.id) {
        this.session = session;
        void this.report(() => this.showPosition());
      }
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.onDidDispose(() => {
      this.view = undefined;
    });
    view.webview.options = { enableScripts: true, localResourceRoots: [this.extension] };
    view.webview.onDidReceiveMessage((message: FromPage) => void this.report(() => this.answer(message)));
    view.webview.html = this.page(view.webview);
  }

  /** Asks for a name, and remembers the present place under it. */
  async addCheckpoint(): Promise<void> {
    const name = await vscode.window.showInputBox({ title: "Add checkpoint", prompt: "Its name" });
    if (name !== undefined && this.session !== undefined) {
      await new TimeTravel(this.session).checkpoints({ add: name });
      await this.showPosition();
    }
  }

  private async answer(message: FromPage): Promise<void> {
    if (this.session === undefined) {
      this.post({ type: "nothing", reason: "" });
      return;
    }
    const travel = new TimeTravel(this.session);
    switch (message.type) {
      case "ready":
        return this.showPosition();
      case "load":
        this.post({
          type: "events",
          start: message.start,
          events: this.listener.isStopped(this.session) ? await travel.events(message.start, message.count) : [],
        });
        return;
      case "loadOutput":
        this.post({ type: "output", output: await travel.output() });
        return;
      case "seek":
        return travel.seek({ event: message.event });
      case "seekEnd":
        return travel.seek({ to: message.to });
      case "seekToOutput":
        return travel.seekToOutput(message.event);
      case "seekCheckpoint":
        return travel.seek({ checkpoint: message.number });
      case "forget":
        await travel.checkpoints({ delete: message.number });
        return this.showPosition();
    }
  }

  private async showPosition(): Promise<void> {
    if (this.session === undefined || !this.listener.isStopped(this.session) || this.view === undefined) {
      return;
    }
    if (this.session.configuration.request === "attach") {
      this.post({ type: "nothing", reason: "A session that is attached to a server has no timeline." });
      return;
    }
    const travel = new TimeTravel(this.session);
    const position = await travel.position();
    this.post({ type: "position", position, checkpoints: await travel.checkpoints() });
  }

  private async report(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      // What is asked while the program moves is asked again at the next stop.
      if (this.session !== undefined && this.listener.isStopped(this.session)) {
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      }
    }
  }

  private post(message: ToPage): void {
    void this.view?.webview.postMessage(message);
  }

  private page(webview: vscode.Webview): string {
    const nonce = randomBytes(16).toString("hex");
    const script = webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "dist", "timeline.js"));
    const style = webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "media", "timeline.css"));
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src ${webview.cspSource} 'unsafe-inline'; script-src 'nonce-${nonce}'">
<link rel="stylesheet" href="${style.toString()}">
<title>Timeline</title>
</head>
<body>
<p id="nothing">Debug a recording to see its timeline.</p>
<main hidden>
<header>
<button id="start" title="To the beginning of the recording">⇤</button>
<output id="where"></output>
<button id="end" title="To the end of the recording">⇥</button>
<span id="hint"></span>
</header>
<div id="chart">
<div id="lanes"></div>
<div id="plot"><canvas></canvas><div id="checkpoints"></div><div id="present"></div></div>
</div>
<section id="output" aria-label="Output"></section>
</main>
<script nonce="${nonce}" src="${script.toString()}"></script>
</body>
</html>`;
  }
}
