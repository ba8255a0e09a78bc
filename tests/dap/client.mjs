// A real client of the protocol that keeps every message of both directions.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import assert from 'node:assert/strict';

const { DebugClient } = createRequire(import.meta.url)('@vscode/debugadapter-testsupport');

const TIMEOUT_MS = 60000;

/** All messages of all sessions, in order. */
export const messages = [];

/** Times from a request to its response, and from a movement's request to its stop, in milliseconds. */
export const times = {};

export class Client extends DebugClient {
  constructor(config) {
    super(config.launcher, 'dap', 'eremite', { env: { ...process.env, EREMITE_DATA_DIR: config.data } });
    this.defaultTimeout = TIMEOUT_MS;
  }

  dispatch(body) {
    messages.push(JSON.parse(body));
    super.dispatch(body);
  }

  doSend(command, args, callback) {
    messages.push({ type: 'request', seq: this.sequence, command, arguments: args });
    const begun = performance.now();
    super.doSend(command, args, (response) => {
      (times[command] ??= []).push(performance.now() - begun);
      callback(response);
    });
  }

  /** Goes to the first stop; configure sets breakpoints and the like. */
  async open(launch, configure = async () => {}) {
    await this.start();
    await this.initializeRequest({
      adapterID: 'eremite',
      linesStartAt1: true,
      columnsStartAt1: true,
      pathFormat: 'path',
      supportsVariableType: true,
      supportsVariablePaging: true,
      supportsProgressReporting: true,
      supportsInvalidatedEvent: true,
      supportsMemoryEvent: true,
    });
    const initialized = this.waitForEvent('initialized');
    const launched = this.launchRequest(launch);
    await Promise.race([initialized, launched]);
    await initialized;
    await configure();
    const stopped = this.waitForEvent('stopped');
    await this.configurationDoneRequest();
    await launched;
    return (await stopped).body;
  }

  /** Moves; the body of the stop. */
  async move(command, args = {}) {
    const begun = performance.now();
    const stopped = this.waitForEvent('stopped');
    await this.customRequest(command, { threadId: 1, ...args });
    const { body } = await stopped;
    (times[`${command} to its stop`] ??= []).push(performance.now() - begun);
    return body;
  }

  async breakAt(source, ...lines) {
    const breakpoints = lines.map((line) => (typeof line === 'number' ? { line } : line));
    const { body } = await this.setBreakpointsRequest({ source: { path: source.path }, breakpoints });
    return body.breakpoints;
  }

  async stack() {
    return (await this.stackTraceRequest({ threadId: 1 })).body.stackFrames;
  }

  /** The line where the program stands. */
  async line() {
    return (await this.stack())[0].line;
  }

  async frame() {
    return (await this.stack())[0].id;
  }

  async scope(name) {
    const { body } = await this.scopesRequest({ frameId: await this.frame() });
    const found = body.scopes.find((each) => each.name === name);
    assert.ok(found, `no scope ${name}`);
    return found.variablesReference;
  }

  async children(variablesReference, more = {}) {
    return (await this.variablesRequest({ variablesReference, ...more })).body.variables;
  }

  /** The variables of a scope by their names. */
  async variables(scope = 'Locals') {
    const list = await this.children(await this.scope(scope));
    return Object.fromEntries(list.map((each) => [each.name, each]));
  }

  async value(expression, context = 'watch') {
    return (await this.evaluateRequest({ expression, context, frameId: await this.frame() })).body.result;
  }

  /** Something that is refused; the message. */
  async refusal(promise) {
    try {
      await promise;
    } catch (e) {
      return e.message;
    }
    throw new Error('it was not refused');
  }

  async leave() {
    await this.stop();
  }
}

/** A source file with the lines of its marks. */
export function source(path) {
  const lines = fs.readFileSync(path, 'utf8').split('\n');
  const mark = (name) => {
    const found = lines.findIndex((line) => new RegExp(`mark: ${name}\\b`).test(line));
    assert.ok(found >= 0, `no mark ${name} in ${path}`);
    return found + 1;
  };
  return { path, mark };
}
