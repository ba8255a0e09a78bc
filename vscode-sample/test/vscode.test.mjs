// What the walkthrough in README.md does, in a real VS Code.
import { after, before, test } from "node:test";
import { Workbench, until } from "./workbench.mjs";

let bench;

before(async () => {
  bench = await Workbench.open();
}, { timeout: 120_000 });

after(async () => bench?.close());

/** A step of the walkthrough; a failure leaves a picture of what was there. */
function step(name, action) {
  test(name, async () => {
    try {
      await action();
    } catch (error) {
      await bench.picture(`failed ${name}`);
      throw error;
    }
  });
}

step("F5 records the program and stops at its crash", async () => {
  await bench.openFile("bank.c");
  await bench.start("Record bank");
  await bench.atLine("*account->balance);");
  await bench.picture("crash");
});
