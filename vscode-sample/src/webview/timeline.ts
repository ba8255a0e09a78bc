// The page of the timeline: events as marks along time in one lane per thread, the present place, checkpoints, output.
import type { FromPage, ToPage } from "../messages";
import type { Checkpoint, EventInfo, Position, Printed } from "../requests";
import { Chart } from "./chart";
import { OutputList } from "./output";

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

/** Recordings with more events show their output only when asked: it takes a replay. */
const OUTPUT_AT_ONCE = 50_000;

const api = acquireVsCodeApi();

function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) {
    throw new Error(`no element ${id}`);
  }
  return element;
}

const main = document.querySelector("main") as HTMLElement;
const nothing = find("nothing", HTMLElement);
const where = find("where", HTMLElement);
const hint = find("hint", HTMLElement);
const chart = new Chart(find("plot", HTMLElement), find("lanes", HTMLElement), {
  load: (start, count) => api.postMessage({ type: "load", start, count }),
  travel: (event) => api.postMessage({ type: "seek", event }),
  toCheckpoint: (number) => api.postMessage({ type: "seekCheckpoint", number }),
  forget: (number) => api.postMessage({ type: "forget", number }),
  hint: (text) => {
    hint.textContent = text;
  },
});
const output = new OutputList(find("output", HTMLElement), {
  load: () => api.postMessage({ type: "loadOutput" }),
  travel: (event) => api.postMessage({ type: "seekToOutput", event }),
});

let recording = "";

function showPosition(position: Position, checkpoints: readonly Checkpoint[]): void {
  nothing.hidden = true;
  main.hidden = false;
  main.classList.remove("moving");
  if (position.recording !== recording) {
    recording = position.recording;
    chart.begin(position.events);
    output.begin();
    if (position.events <= OUTPUT_AT_ONCE) {
      api.postMessage({ type: "loadOutput" });
    } else {
      output.offer();
    }
  }
  const behind = position.inside ? "before" : "at";
  where.textContent = `${behind} event ${position.event} of ${position.events}${position.complete ? "" : " (cut short)"}`;
  chart.show(position, checkpoints);
  output.show(position.event);
}

function showEvents(start: number, events: readonly EventInfo[]): void {
  chart.add(start, events);
}

function showOutput(printed: readonly Printed[]): void {
  output.fill(printed);
}

window.addEventListener("message", (message: MessageEvent<ToPage>) => {
  const told = message.data;
  switch (told.type) {
    case "nothing":
      recording = "";
      main.hidden = true;
      nothing.hidden = false;
      nothing.textContent = told.reason === "" ? "Debug a recording to see its timeline." : told.reason;
      break;
    case "moving":
      main.classList.add("moving");
      break;
    case "position":
      showPosition(told.position, told.checkpoints);
      break;
    case "events":
      showEvents(told.start, told.events);
      break;
    case "output":
      showOutput(told.output);
      break;
  }
});
find("start", HTMLElement).addEventListener("click", () => api.postMessage({ type: "seekEnd", to: "start" }));
find("end", HTMLElement).addEventListener("click", () => api.postMessage({ type: "seekEnd", to: "end" }));
api.postMessage({ type: "ready" });
