// What the walkthrough in README.md does, in a real VS Code. Each step goes on where the one before it ended.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Workbench, until } from "./workbench.mjs";

let bench;
let broken = false;

/** A step of the walkthrough; a failure leaves a picture of what was there. */
function step(name, action) {
  test(name, async (context) => {
    if (broken) {
      context.skip("an earlier step failed");
      return;
    }
    try {
      await action();
      const errors = await bench.page.locator(".notification-list-item-message").allTextContents();
      assert.deepEqual(errors, []);
    } catch (error) {
      broken = true;
      await bench.picture(`failed ${name}`);
      throw error;
    }
  });
}

before(async () => {
  bench = await Workbench.open();
}, { timeout: 120_000 });

after(async () => bench?.close());

step("F5 records the program and stops at its crash", async () => {
  await bench.openFile("bank.c");
  await bench.openDebugView();
  await bench.start("Record bank");
  await bench.atLine("*account->balance);");
  await bench.value("number", "1");
  await until("the recording is listed", () => bench.recordings(), (rows) => rows.length === 1 && rows[0].includes("signal 11"));
  await bench.expand("account");
  await bench.value("balance", "0x");
  await bench.picture("1-crash");
});

step("a data breakpoint and reverse continue lead to the line that wrote the value", async () => {
  await bench.menu(bench.variable("balance"), "Break on Value Change");
  await bench.breakpoint("account->balance").waitFor();
  await bench.press("Reverse");
  await bench.atLine("account->owner[i] = name[i];");
  await bench.value("arg", "accounts");
  await bench.expandScope("Locals");
  // The last byte of the pointer, 8 bytes behind a name of 16.
  await bench.value("i", "23");
});

step("watched expressions and hovers show values", async () => {
  await bench.watch("name[i]");
  await until("the watched value", () => bench.watched("name[i]"), (text) => text.includes("111 'o'"));
  const hover = await bench.hover("account->owner[i] = name[i];", "name");
  assert.match(hover, /Grace Brewster Murray Hopper/);
  await bench.picture("2-writer", false);
  await bench.unwatch("name[i]");
});

step("a breakpoint that is set by a click stops in reverse", async () => {
  await bench.removeBreakpoint("account->balance");
  await bench.toggleBreakpoint("deposits of 1 turned");
  await bench.breakpoint("bank.c").waitFor();
  await bench.press("Reverse");
  await bench.atLine("deposits of 1 turned");
});

step("step over, and step back", async () => {
  await bench.press("Step Over");
  await bench.atLine("pthread_create(&clerk");
  await bench.press("Step Back");
  await bench.atLine("deposits of 1 turned");
  await bench.press("Continue");
  await bench.atLine("*account->balance);");
});

step("step back out, and step back into", async () => {
  await bench.press("Step back out");
  await bench.atLine("print_statement(&accounts[number], number);");
  await bench.toggleBreakpoint("print_statement(&accounts[number], number);");
  await bench.breakpoint("52").waitFor();
  await bench.press("Reverse");
  await bench.paused("breakpoint");
  await bench.press("Step Back");
  await bench.atLine("for (int number");
  await bench.press("Step back into");
  await bench.atLine("}");
  await bench.value("number", "0");
  await bench.removeBreakpoint("52");
});

step("checkpoints are named, and travelled to", async () => {
  await bench.command("Eremite: Add checkpoint");
  await bench.answer("Add checkpoint", "first statement");
  await bench.command("Focus on Timeline of the recording View");
  const timeline = bench.timeline();
  await timeline.locator("#checkpoints button", { hasText: "first statement" }).waitFor();
  await until("the lanes", () => timeline.locator("#lanes div").count(), (count) => count === 4);
});

step("a click on the timeline travels", async () => {
  const timeline = bench.timeline();
  const where = timeline.locator("#where");
  const before = await where.textContent();
  const place = await timeline.locator("#plot canvas").boundingBox();
  // The second lane is that of the first teller.
  await bench.page.mouse.click(place.x + place.width * 0.7, place.y + 33);
  await until("the position", () => where.textContent(), (text) => text !== before && text.includes(" event "));
  await bench.atLine("sched_yield();");
  await bench.picture("3-timeline");
});

step("a click on a line of output travels to its write", async () => {
  const timeline = bench.timeline();
  const line = timeline.locator("#output .line", { hasText: "deposits of 1 turned 100 into" });
  await until("the line is not printed yet", () => line.getAttribute("class"), (names) => names.includes("future"));
  await line.click();
  await bench.atLine("deposits of 1 turned");
  await timeline.locator("#checkpoints button", { hasText: "first statement" }).click();
  await bench.atLine("}");
  await until("the line is printed", () => line.getAttribute("class"), (names) => !names.includes("future"));
  await bench.picture("4-output");
});

step("both ends of history are stops", async () => {
  await bench.timeline().locator("#start").click();
  await until("the position", () => bench.timeline().locator("#where").textContent(), (text) => /event [01] of/.test(text));
  await bench.press("Continue");
  await bench.atLine("deposits of 1 turned");
  await bench.stop();
});

step("commands record a program, and open a recording", async () => {
  await bench.command("Eremite: Record and debug");
  await bench.answer("Record and debug", "./bank 'with arguments'");
  await bench.atLine("setvbuf(stdout");
  await bench.stop();
  await bench.command("Eremite: Open recording");
  await bench.choose("bank with arguments");
  await bench.atLine("*account->balance);");
  await bench.stop();
});

step("recordings are opened from the list, and deleted", async () => {
  await until("the recordings", () => bench.recordings(), (rows) => rows.length === 2);
  await bench.recording(1, "Debug");
  await bench.atLine("*account->balance);");
  await bench.stop();
  await bench.delete(0);
  await until("one is left", () => bench.recordings(), (rows) => rows.length === 1);
  await bench.delete(0);
  await until("the list is empty", () => bench.recordings(), (rows) => rows.length === 0);
});
