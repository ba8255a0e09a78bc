// Bundles the extension for Node and the timeline's page for the browser, into dist.
import { copyFileSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, minify: true, sourcemap: false, logLevel: "warning", legalComments: "inline" };

await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  format: "cjs",
  target: "node18",
  external: ["vscode"],
});
await build({
  ...common,
  entryPoints: ["src/webview/timeline.ts"],
  outfile: "dist/timeline.js",
  platform: "browser",
  format: "iife",
  target: "es2022",
});
// A package holds its licence.
copyFileSync("../LICENSE", "LICENSE");
