import type { Checkpoint, EventInfo, Position } from "../requests";

interface Actions {
  load(start: number, count: number): void;
  travel(event: number): void;
  toCheckpoint(number: number): void;
  forget(number: number): void;
  hint(text: string): void;
}

/** Events are asked for by pages of this many. */
const PAGE = 2000;
/** With more events in view than this, only the pages that are known already are drawn. */
const MOST_IN_VIEW = 40_000;
const LANE_PX = 22;
/** How far from a mark a click still means it. */
const REACH_PX = 6;
const FLAG_PX = 90;
const LEAST_IN_VIEW = 10;

/** Events along time, one lane for each thread. */
export class Chart {
  private readonly canvas: HTMLCanvasElement;
  private readonly present: HTMLElement;
  private readonly flags: HTMLElement;
  private readonly pages = new Map<number, readonly EventInfo[]>();
  private readonly asked = new Set<number>();
  private tasks: number[] = [];
  private total = 0;
  private from = 0;
  private to = 1;
  private position: Position | undefined;
  private checkpoints: readonly Checkpoint[] = [];

  constructor(
    private readonly plot: HTMLElement,
    private readonly lanes: HTMLElement,
    private readonly actions: Actions,
  ) {
    this.canvas = plot.querySelector("canvas") as HTMLCanvasElement;
    this.present = plot.querySelector("#present") as HTMLElement;
    this.flags = plot.querySelector("#checkpoints") as HTMLElement;
    new ResizeObserver(() => this.draw()).observe(plot);
    plot.addEventListener("wheel", (event) => this.zoom(event), { passive: false });
    plot.addEventListener("mousemove", (event) => this.hover(event));
    plot.addEventListener("mouseleave", () => this.actions.hint(""));
    this.canvas.addEventListener("click", (event) => this.actions.travel(this.place(event)));
  }

  /** Another recording is shown. */
  begin(total: number): void {
    this.pages.clear();
    this.asked.clear();
    this.tasks = [];
    this.total = total;
    this.from = 0;
    this.to = Math.max(1, Math.min(total, MOST_IN_VIEW));
  }

  /** Shows the present place, and has it in view. */
  show(position: Position, checkpoints: readonly Checkpoint[]): void {
    this.position = position;
    this.checkpoints = checkpoints;
    // What was refused while the program moved is asked for again.
    for (const page of this.asked) {
      if (!this.pages.has(page)) {
        this.asked.delete(page);
      }
    }
    if (position.event < this.from || position.event > this.to) {
      const width = this.to - this.from;
      this.view(position.event - width / 2, width);
    }
    this.draw();
  }

  /** Takes a page of events; an empty one is none. */
  add(start: number, events: readonly EventInfo[]): void {
    if (events.length === 0) {
      return;
    }
    this.pages.set(start / PAGE, events);
    const tasks = new Set(this.tasks);
    events.forEach((event) => tasks.add(event.task));
    this.tasks = [...tasks].sort((a, b) => a - b);
    this.draw();
  }

  private view(from: number, width: number): void {
    const bounded = Math.min(Math.max(width, LEAST_IN_VIEW), Math.max(this.total, 1));
    this.from = Math.min(Math.max(0, from), Math.max(0, this.total - bounded));
    this.to = this.from + bounded;
  }

  private x(event: number): number {
    return ((event - this.from) / (this.to - this.from)) * this.plot.clientWidth;
  }

  private request(): void {
    if (this.to - this.from > MOST_IN_VIEW) {
      return;
    }
    for (let page = Math.floor(this.from / PAGE); page * PAGE < Math.min(this.to, this.total); page++) {
      if (!this.asked.has(page)) {
        this.asked.add(page);
        this.actions.load(page * PAGE, PAGE);
      }
    }
  }

  private visible(): EventInfo[] {
    const events: EventInfo[] = [];
    for (let page = Math.floor(this.from / PAGE); page * PAGE < this.to; page++) {
      for (const event of this.pages.get(page) ?? []) {
        if (event.event + 1 >= this.from && event.event <= this.to) {
          events.push(event);
        }
      }
    }
    return events;
  }

  private draw(): void {
    this.request();
    this.lanes.replaceChildren(
      ...this.tasks.map((task) => {
        const label = document.createElement("div");
        label.textContent = `thread ${task}`;
        return label;
      }),
    );
    const width = this.plot.clientWidth;
    const height = Math.max(1, this.tasks.length) * LANE_PX;
    this.plot.style.height = `${height}px`;
    this.canvas.width = width * devicePixelRatio;
    this.canvas.height = height * devicePixelRatio;
    const context = this.canvas.getContext("2d");
    if (context === null || width === 0) {
      return;
    }
    context.scale(devicePixelRatio, devicePixelRatio);
    const style = getComputedStyle(document.documentElement);
    this.drawLanes(context, style, width);
    for (const event of this.visible()) {
      this.drawEvent(context, style, event);
    }
    this.drawPlaces();
  }

  private drawLanes(context: CanvasRenderingContext2D, style: CSSStyleDeclaration, width: number): void {
    context.fillStyle = style.getPropertyValue("--lane");
    this.tasks.forEach((_task, lane) => context.fillRect(0, (lane + 0.5) * LANE_PX - 0.5, width, 1));
  }

  private drawEvent(context: CanvasRenderingContext2D, style: CSSStyleDeclaration, event: EventInfo): void {
    const x = this.x(event.event + 0.5);
    const middle = (this.tasks.indexOf(event.task) + 0.5) * LANE_PX;
    const kind = event.stream === 1 ? "stdout" : event.stream === 2 ? "stderr" : event.kind;
    context.fillStyle = style.getPropertyValue(`--${kind}`);
    if (event.kind === "signal") {
      context.beginPath();
      context.arc(x, middle, 5, 0, 2 * Math.PI);
      context.fill();
    } else if (event.stream !== 0) {
      context.fillRect(x - 3, middle - 8, 6, 16);
    } else {
      const tall = event.kind === "exit" ? 8 : event.kind === "syscall" ? 5 : 3;
      context.fillRect(x - 0.75, middle - tall, 1.5, 2 * tall);
    }
  }

  private drawPlaces(): void {
    if (this.position !== undefined) {
      this.present.style.left = `${this.x(this.position.event)}px`;
      this.present.title = `The program is here, before event ${this.position.event}`;
    }
    this.flags.replaceChildren(
      ...this.checkpoints.map((checkpoint) => {
        const flag = document.createElement("button");
        flag.style.left = `${this.x(checkpoint.event)}px`;
        // Names at the right end would be cut off.
        flag.classList.toggle("left", this.x(checkpoint.event) > this.plot.clientWidth - FLAG_PX);
        flag.textContent = checkpoint.name === "" ? String(checkpoint.number) : checkpoint.name;
        flag.title = `Checkpoint ${checkpoint.number}: click to go there, Alt and click to forget it`;
        flag.addEventListener("click", (event) =>
          event.altKey ? this.actions.forget(checkpoint.number) : this.actions.toCheckpoint(checkpoint.number),
        );
        return flag;
      }),
    );
  }

  /** The mark under the mouse; undefined where there is none near. */
  private mark(event: MouseEvent): EventInfo | undefined {
    const box = this.plot.getBoundingClientRect();
    const x = event.clientX - box.left;
    const task = this.tasks[Math.floor((event.clientY - box.top) / LANE_PX)];
    let best: EventInfo | undefined;
    let distance = REACH_PX;
    for (const each of this.visible()) {
      const away = Math.abs(this.x(each.event + 0.5) - x);
      // Signals and output are what one aims at.
      const weighed = each.stream !== 0 || each.kind === "signal" ? away / 2 : away;
      if (each.task === task && weighed < distance) {
        best = each;
        distance = weighed;
      }
    }
    return best;
  }

  private place(event: MouseEvent): number {
    const mark = this.mark(event);
    if (mark !== undefined) {
      return mark.event;
    }
    const box = this.plot.getBoundingClientRect();
    const at = this.from + ((event.clientX - box.left) / box.width) * (this.to - this.from);
    return Math.min(Math.max(0, Math.round(at)), this.total);
  }

  private hover(event: MouseEvent): void {
    const mark = this.mark(event);
    this.actions.hint(mark === undefined ? "" : mark.text);
  }

  private zoom(event: WheelEvent): void {
    event.preventDefault();
    const width = this.to - this.from;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const moved = ((event.deltaX + event.deltaY) / Math.max(1, this.plot.clientWidth)) * width;
      this.view(this.from + moved, width);
    } else {
      const box = this.plot.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      const wanted = width * (event.deltaY > 0 ? 1.25 : 0.8);
      this.view(this.from + share * (width - wanted), wanted);
    }
    this.draw();
  }
}
