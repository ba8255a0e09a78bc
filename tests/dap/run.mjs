// Runs the scenarios whose names begin so, or all: node run.mjs CONFIGURATION [BEGINNING]. The configuration is a JSON file.
import fs from 'node:fs';
import { messages, times } from './client.mjs';
import { findings } from './conformance.mjs';
import { violations } from './schema.mjs';
import { scenarios } from './scenarios.mjs';

const context = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
let failed = 0;
for (const [name, scenario] of Object.entries(scenarios)) {
  if (!name.startsWith(process.argv[3] ?? '')) {
    continue;
  }
  const begun = performance.now();
  try {
    await scenario(context);
    console.log(`passed\t${name}\t${Math.round(performance.now() - begun)} ms`);
  } catch (e) {
    failed++;
    const last = messages.slice(-6).map((each) => JSON.stringify(each).slice(0, 500));
    console.log(`failed\t${name}\t${[String(e.stack), ...last].join('\n').replaceAll('\n', '⏎')}`);
  }
}
const checks = [["messages conform to the protocol's types", findings(messages)]];
if (context.schema) {
  checks.push(["messages conform to the protocol's schema", violations(messages, context.schema)]);
}
for (const [name, wrong] of checks) {
  if (wrong.length > 0) {
    failed++;
    console.log(`failed\t${name}\t${wrong.slice(0, 10).join('⏎')}`);
  } else {
    console.log(`passed\t${name}\t${messages.length} messages`);
  }
}
for (const [command, list] of Object.entries(times)) {
  const sorted = [...list].sort((one, other) => one - other);
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
  console.log(`time\t${command}\tmedian ${at(0.5)} ms, p95 ${at(0.95)} ms of ${sorted.length}`);
}
process.exit(failed === 0 ? 0 : 1);
