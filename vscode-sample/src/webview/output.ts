import type { Printed } from "../requests";

interface Actions {
  load(): void;
  /** Goes to where an event is about to happen. */
  travel(event: number): void;
}

interface Line {
  readonly event: number;
  readonly stream: number;
  text: string;
}

/** At most so many lines are shown; the last ones. */
const MOST_LINES = 5000;

/** What the program prints, line by line; a click travels to where the line is written. */
export class OutputList {
  private readonly buttons: { readonly event: number; readonly button: HTMLButtonElement }[] = [];
  private present = 0;

  constructor(
    private readonly list: HTMLElement,
    private readonly actions: Actions,
  ) {}

  /** Another recording is shown. */
  begin(): void {
    this.buttons.length = 0;
    this.list.replaceChildren();
  }

  /** Shows a button that asks for the output. */
  offer(): void {
    const button = document.createElement("button");
    button.className = "offer";
    button.textContent = "Load output (replays the recording once)";
    button.addEventListener("click", () => {
      button.disabled = true;
      this.actions.load();
    });
    this.list.replaceChildren(button);
  }

  fill(printed: readonly Printed[]): void {
    this.begin();
    for (const line of lines(printed).slice(-MOST_LINES)) {
      const button = document.createElement("button");
      button.className = line.stream === 2 ? "line stderr" : "line";
      button.textContent = line.text;
      button.title = `Go to where this is written (event ${line.event})`;
      button.addEventListener("click", () => this.actions.travel(line.event));
      this.buttons.push({ event: line.event, button });
      this.list.append(button);
    }
    this.show(this.present);
  }

  /** Tells what has been printed at the present place, and what not yet. */
  show(event: number): void {
    this.present = event;
    let last: HTMLButtonElement | undefined;
    for (const each of this.buttons) {
      const future = each.event >= event;
      each.button.classList.toggle("future", future);
      if (!future) {
        last = each.button;
      }
    }
    last?.scrollIntoView({ block: "nearest" });
  }
}

/** Lines belong to the write that begins them. */
function lines(printed: readonly Printed[]): Line[] {
  const all: Line[] = [];
  const open = new Map<number, Line>();
  for (const write of printed) {
    const parts = write.text.split("\n");
    parts.forEach((part, i) => {
      const begun = open.get(write.stream);
      if (begun !== undefined) {
        begun.text += part;
      } else if (part !== "" || i < parts.length - 1) {
        const line = { event: write.event, stream: write.stream, text: part };
        all.push(line);
        open.set(write.stream, line);
      }
      if (i < parts.length - 1) {
        open.delete(write.stream);
      }
    });
  }
  return all;
}
