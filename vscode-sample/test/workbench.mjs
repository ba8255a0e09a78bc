// A real VS Code with our extension, and what a person does in it.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const SLOW_MS = 60_000;
const QUIET_MS = 300;

const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "telemetry.telemetryLevel": "off",
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "debug.toolBarLocation": "floating",
  "debug.internalConsoleOptions": "neverOpen",
  "debug.showInStatusBar": "always",
  "debug.openDebug": "openOnDebugBreak",
  "debug.showVariableTypes": true,
  "editor.minimap.enabled": false,
  "window.commandCenter": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
};

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Waits until something is as wanted; says what it was last if that does not come. */
export async function until(what, look, wanted, timeout = SLOW_MS) {
  const end = Date.now() + timeout;
  let last;
  do {
    try {
      last = await look();
      if (wanted(last)) {
        return last;
      }
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (Date.now() < end);
  throw new Error(`${what}: ${last instanceof Error ? last.message : JSON.stringify(last)}`);
}

export class Workbench {
  /** Copies the sample, starts the server with the extension, and opens the copy in a browser. */
  static async open() {
    const bench = new Workbench();
    try {
      await bench.#start();
      return bench;
    } catch (error) {
      await bench.close();
      throw error;
    }
  }

  async #start() {
    const install = process.env.EREMITE_VSCODE;
    this.folder = mkdtempSync(path.join(tmpdir(), "eremite-vscode-"));
    const sample = path.join(this.folder, "sample");
    cpSync(path.join(ROOT, "sample"), sample, { recursive: true, filter: (file) => path.basename(file) !== "bank" });
    const userData = path.join(this.folder, "user-data");
    mkdirSync(path.join(userData, "User"), { recursive: true });
    mkdirSync(path.join(userData, "Machine"), { recursive: true });
    const machine = {
      "eremite.path": path.join(path.dirname(ROOT), "eremite"),
      "eremite.dataDirectory": path.join(this.folder, "recordings"),
    };
    writeFileSync(path.join(userData, "User", "settings.json"), JSON.stringify(SETTINGS));
    writeFileSync(path.join(userData, "Machine", "settings.json"), JSON.stringify(machine));
    const command = path.join(install, "node_modules", ".bin", "code-server");
    const common = ["--user-data-dir", userData, "--extensions-dir", path.join(this.folder, "extensions")];
    common.push("--config", path.join(this.folder, "config.yaml"));
    const env = { ...process.env, HOME: process.env.HOME ?? homedir() };
    execFileSync(command, [...common, "--install-extension", path.join(ROOT, "dist", "eremite.vsix")], { env, stdio: "pipe" });
    const port = await freePort();
    const log = openSync(path.join(this.folder, "server.log"), "w");
    const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
    // A group of its own, so that all of it ends with it.
    this.server = spawn(command, [...common, ...options, sample], { env, stdio: ["ignore", log, log], detached: true });
    const address = `http://127.0.0.1:${port}`;
    await until("the server answers", () => fetch(`${address}/healthz`), (response) => response.ok);
    this.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync"],
    });
    this.page = await this.browser.newPage({ viewport: { width: 1280, height: 900 } });
    this.page.setDefaultTimeout(SLOW_MS);
    await this.page.goto(`${address}/?folder=${encodeURIComponent(sample)}`);
    await this.page.waitForSelector(".monaco-workbench .explorer-folders-view .monaco-list-row");
  }

  async close() {
    await this.browser?.close();
    if (this.server !== undefined && this.server.exitCode === null) {
      const ended = new Promise((resolve) => this.server.once("exit", resolve));
      process.kill(-this.server.pid, "SIGTERM");
      const timer = setTimeout(() => process.kill(-this.server.pid, "SIGKILL"), 10_000);
      await ended;
      clearTimeout(timer);
    }
    if (this.folder !== undefined) {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Keeps a picture for the walkthrough. */
  async picture(name, rest = true) {
    const folder = process.env.EREMITE_PICTURES ?? path.join(ROOT, "dist", "pictures");
    mkdirSync(folder, { recursive: true });
    if (rest) {
      await this.page.mouse.move(640, 5);
    }
    await this.settled();
    await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
  }

  /** Shows the view for debugging, with the recordings, and waits for the extension. */
  async openDebugView() {
    await this.page.locator(".activitybar .action-label[aria-label^='Run and Debug']").click();
    await this.page.locator(".pane-header", { hasText: "Recordings" }).click();
    await this.page.getByText("Nothing has been recorded yet.").waitFor();
  }

  /** Presses F5 in the editor as soon as the configurations are known; again when it was too early all the same. */
  async start(configuration) {
    await this.page.locator(".statusbar-item", { hasText: configuration }).waitFor();
    const toolbar = this.page.locator(".debug-toolbar");
    for (let attempt = 0; attempt < 4 && !(await toolbar.isVisible()); attempt++) {
      await this.page.locator(".monaco-editor .view-line").first().click();
      await this.page.keyboard.press("F5");
      await toolbar.waitFor({ timeout: 15_000 }).catch(() => {});
    }
  }

  async openFile(name) {
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first().dblclick();
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
    await this.page.waitForSelector(".monaco-editor .view-line");
  }

  /** Runs a command of the palette. */
  async command(title) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input.input");
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
  }

  /** The text of the line that is highlighted as the present one. */
  async line() {
    const marks = this.page.locator(".monaco-editor .view-overlays .debug-top-stack-frame-line");
    const box = await marks.first().boundingBox({ timeout: 2000 });
    const lines = this.page.locator(".monaco-editor .view-lines .view-line");
    return lines.evaluateAll((elements, middle) => {
      const found = elements.find((element) => {
        const place = element.getBoundingClientRect();
        return place.top <= middle && middle < place.bottom;
      });
      return (found?.textContent ?? "").replaceAll("\u00a0", " ").trim();
    }, box.y + box.height / 2);
  }

  /** Waits until the program stands at a line of the source. */
  atLine(text) {
    return until(`the highlighted line is ${text}`, () => this.line(), (line) => line.includes(text));
  }

  /** Waits until nothing changes any more: a click while buttons and rows are made anew is lost. */
  async settled() {
    await this.page.evaluate(([quiet, limit]) => new Promise((resolve) => {
      const finish = () => {
        clearTimeout(end);
        observer.disconnect();
        resolve();
      };
      let timer = setTimeout(finish, quiet);
      const end = setTimeout(finish, limit);
      const observer = new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(finish, quiet);
      });
      for (const part of document.querySelectorAll(".debug-toolbar, .part.sidebar, .part.editor")) {
        observer.observe(part, { subtree: true, childList: true, attributes: true });
      }
    }), [QUIET_MS, SLOW_MS / 10]);
  }

  /** A button of the debug toolbar. */
  async press(title) {
    await this.settled();
    const button = this.page.locator(`.debug-toolbar .action-label[aria-label^="${title}"]:not(.disabled)`).first();
    await button.click();
  }

  /** Ends the session. */
  async stop() {
    await this.press("Stop");
    await this.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
  }

  /** The row of a variable. */
  variable(name) {
    return this.page.locator(".debug-variables .monaco-list-row", { has: this.page.locator(".name", { hasText: new RegExp(`^${name}\\b`) }) }).first();
  }

  /** Waits for the value of a variable that is in view. */
  value(name, wanted) {
    const value = this.variable(name).locator(".value");
    return until(`${name} is ${wanted}`, () => value.textContent({ timeout: 2000 }), (text) => text.includes(wanted));
  }

  /** Unfolds a variable. */
  async expand(name) {
    await this.#unfold(this.variable(name));
  }

  async expandScope(name) {
    await this.#unfold(this.page.locator(".debug-variables .monaco-list-row", { hasText: name }).first());
  }

  /** Rows may be made anew while they are clicked at. */
  async #unfold(row) {
    const unfolded = () => row.getAttribute("aria-expanded", { timeout: 2000 });
    await this.settled();
    await until("the row is unfolded", async () => {
      if ((await unfolded()) === "true") {
        return true;
      }
      await row.locator(".monaco-tl-twistie").click({ timeout: 2000 });
      await this.settled();
      return (await unfolded()) === "true";
    }, (done) => done);
  }

  /** Chooses an item of the context menu. */
  async menu(place, item) {
    await this.settled();
    await place.click({ button: "right" });
    const menu = this.page.locator(".monaco-menu");
    const chosen = menu.locator(".action-item", { hasText: item }).first();
    await chosen.waitFor();
    // A menu that has just opened takes no click.
    await until(`the menu takes ${item}`, () => this.#chosen(menu, chosen), (done) => done);
  }

  async #chosen(menu, item) {
    await item.click({ timeout: 2000 }).catch(() => {});
    await menu.waitFor({ state: "hidden", timeout: 1000 }).catch(() => {});
    return !(await menu.isVisible());
  }

  /** Adds a watched expression. */
  async watch(expression) {
    const header = this.page.locator(".pane-header", { hasText: "Watch" });
    await header.hover();
    await header.locator(".action-label[aria-label^='Add Expression']").click();
    await this.page.locator(".debug-watch input").waitFor();
    await this.page.keyboard.type(expression);
    await this.page.keyboard.press("Enter");
  }

  #watchRow(expression) {
    return this.page.locator(".debug-watch .monaco-list-row", { hasText: expression }).first();
  }

  watched(expression) {
    return this.#watchRow(expression).textContent({ timeout: 2000 });
  }

  async unwatch(expression) {
    await this.#watchRow(expression).hover();
    await this.#watchRow(expression).locator(".action-label[aria-label^='Remove Expression']").click();
  }

  /** Hovers over a word of a line; what is shown then. */
  async hover(text, word) {
    const line = this.page.locator(".monaco-editor .view-line", { hasText: text });
    await line.locator("span > span", { hasText: new RegExp(`^${word}$`) }).last().hover();
    const widget = this.page.locator(".debug-hover-widget .value").first();
    return until("the hover", () => widget.textContent({ timeout: 2000 }), (shown) => shown !== "");
  }

  /** The row of a breakpoint. */
  breakpoint(text) {
    return this.page.locator(".debug-breakpoints .monaco-list-row", { hasText: text }).first();
  }

  async removeBreakpoint(text) {
    await this.breakpoint(text).hover();
    await this.breakpoint(text).locator(".action-label[aria-label^='Remove']").first().click();
    await this.breakpoint(text).waitFor({ state: "detached" });
  }

  /** Waits until the program has stopped for that reason. */
  paused(reason) {
    const pane = this.page.locator(".pane", { has: this.page.locator(".pane-header", { hasText: "Call Stack" }) });
    return until(`paused on ${reason}`, () => pane.textContent({ timeout: 2000 }), (text) => text.includes(`Paused on ${reason}`));
  }

  /** Answers an input box. */
  async answer(title, text) {
    const box = this.page.locator(".quick-input-widget", { hasText: title });
    await box.locator(".quick-input-title", { hasText: title }).waitFor();
    await box.locator("input.input").fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Chooses from a list that asks. */
  async choose(text) {
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();
  }

  #recordingRows() {
    return this.page.locator(".pane", { has: this.page.locator(".pane-header", { hasText: "Recordings" }) }).locator(".monaco-list-row");
  }

  /** The rows of the list of recordings. */
  recordings() {
    return this.#recordingRows().allTextContents();
  }

  /** Presses the button of a recording. */
  async recording(index, button) {
    await this.settled();
    const row = this.#recordingRows().nth(index);
    await row.hover();
    await row.locator(`.action-label[aria-label="${button}"]`).click();
  }

  /** Clicks the gutter beside a line that is in view. */
  async toggleBreakpoint(text) {
    await this.settled();
    const line = this.page.locator(".monaco-editor .view-line", { hasText: text }).first();
    const place = await line.boundingBox();
    const margin = await this.page.locator(".monaco-editor .glyph-margin").first().boundingBox();
    await this.page.mouse.click(margin.x + margin.width / 2, place.y + place.height / 2);
  }

  /** Deletes a recording, and says yes. */
  async delete(index) {
    await this.recording(index, "Delete");
    await this.page.locator(".monaco-dialog-box .monaco-button", { hasText: "Delete" }).click();
    await this.page.locator(".monaco-dialog-box").waitFor({ state: "detached" });
  }

  /** The page of the timeline. */
  timeline() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }
}
