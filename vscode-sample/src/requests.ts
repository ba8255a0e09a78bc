import type * as vscode from "vscode";

/** Where the program stands; see docs/dap.md for these requests. */
export interface Position {
  readonly recording: string;
  readonly complete: boolean;
  /** The number of the next event. */
  readonly event: number;
  readonly events: number;
  /** Whether code has run since the event before. */
  readonly inside: boolean;
}

export interface EventInfo {
  readonly event: number;
  /** The thread, by the id that the program saw. */
  readonly task: number;
  readonly kind: "syscall" | "instruction" | "signal" | "preempt" | "exit";
  /** 1 or 2 for what goes to the standard output or error, else 0. */
  readonly stream: number;
  readonly text: string;
}

export interface Printed {
  readonly event: number;
  readonly stream: number;
  readonly text: string;
}

export interface Checkpoint {
  readonly number: number;
  readonly name: string;
  readonly event: number;
}

/** Eremite's own requests of the debug adapter. All are refused while the program moves. */
export class TimeTravel {
  constructor(private readonly session: vscode.DebugSession) {}

  position(): Promise<Position> {
    return this.ask("eremite/position", {});
  }

  async events(start: number, count: number): Promise<EventInfo[]> {
    const answer = await this.ask<{ events: EventInfo[] }>("eremite/events", { start, count });
    return answer.events;
  }

  /** All that the program prints. Takes a replay the first time. */
  async output(): Promise<Printed[]> {
    const answer = await this.ask<{ output: Printed[] }>("eremite/output", {});
    return answer.output;
  }

  async checkpoints(change: { add?: string; delete?: number } = {}): Promise<Checkpoint[]> {
    const answer = await this.ask<{ checkpoints: Checkpoint[] }>("eremite/checkpoints", change);
    return answer.checkpoints;
  }

  seek(target: { event: number } | { checkpoint: number } | { to: "start" | "end" }): Promise<void> {
    return this.ask("eremite/seek", target);
  }

  seekToOutput(event: number): Promise<void> {
    return this.ask("eremite/seekToOutput", { event });
  }

  reverseStepIn(threadId: number): Promise<void> {
    return this.ask("eremite/reverseStepIn", { threadId });
  }

  reverseStepOut(threadId: number): Promise<void> {
    return this.ask("eremite/reverseStepOut", { threadId });
  }

  private async ask<T>(command: string, args: object): Promise<T> {
    return (await this.session.customRequest(command, args)) as T;
  }
}
