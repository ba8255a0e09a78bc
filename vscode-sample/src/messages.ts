import type { Checkpoint, EventInfo, Position, Printed } from "./requests";

/** What the extension tells the timeline's page. */
export type ToPage =
  | { readonly type: "nothing"; readonly reason: string }
  | { readonly type: "moving" }
  | { readonly type: "position"; readonly position: Position; readonly checkpoints: readonly Checkpoint[] }
  | { readonly type: "events"; readonly start: number; readonly events: readonly EventInfo[] }
  | { readonly type: "output"; readonly output: readonly Printed[] };

/** What the page asks for. */
export type FromPage =
  | { readonly type: "ready" }
  | { readonly type: "load"; readonly start: number; readonly count: number }
  | { readonly type: "loadOutput" }
  | { readonly type: "seek"; readonly event: number }
  | { readonly type: "seekEnd"; readonly to: "start" | "end" }
  | { readonly type: "seekToOutput"; readonly event: number }
  | { readonly type: "seekCheckpoint"; readonly number: number }
  | { readonly type: "forget"; readonly number: number };
