// Checks messages against the protocol's own types: each becomes a constant of its type in a file for the compiler, which
// refuses missing, misspelt and unknown properties.
import ts from 'typescript';

/** Commands that the protocol does not have. */
export const OURS = /^eremite\//;
// Adapters add attributes of their own to these.
const OPEN = new Set(['launch', 'attach']);

const MOST_OF_A_SHAPE = 20;

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Of a long list, elements of each shape that there is: the compiler tires of thousands. */
function thinned(value) {
  if (Array.isArray(value)) {
    const shapes = new Map();
    for (const each of value) {
      const shape = each && typeof each === 'object' ? Object.keys(each).sort().join() : typeof each;
      shapes.set(shape, [...(shapes.get(shape) ?? []).slice(0, MOST_OF_A_SHAPE - 1), each]);
    }
    return [...shapes.values()].flat().map(thinned);
  }
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, thinned(each)]));
  }
  return value;
}

/** The name of a message's type. */
export function typeOf(message) {
  switch (message.type) {
    case 'request':
      return `${capital(message.command)}Request`;
    case 'event':
      return `${capital(message.event)}Event`;
    default:
      return message.success ? `${capital(message.command)}Response` : 'ErrorResponse';
  }
}

/** What is wrong with the messages, one text for each finding. */
export function findings(messages) {
  const checked = messages.filter((each) => !OURS.test(each.command ?? ''));
  const lines = ["import { DebugProtocol as P } from '@vscode/debugprotocol';"];
  for (const [i, message] of checked.entries()) {
    const open = message.type === 'request' && OPEN.has(message.command);
    const text = JSON.stringify(thinned(open ? { ...message, arguments: {} } : message));
    lines.push(`export const m${i}: P.${typeOf(message)} = ${text};`);
  }
  const name = new URL('./messages.generated.ts', import.meta.url).pathname;
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], moduleResolution: 100, module: 99 };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) =>
    file === name ? ts.createSourceFile(file, lines.join('\n'), ts.ScriptTarget.ES2022) : read(file, ...rest);
  const program = ts.createProgram([name], options, host);
  const found = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
  return found.map((each) => {
    const text = ts.flattenDiagnosticMessageText(each.messageText, ' ');
    const line = each.file?.getLineAndCharacterOfPosition(each.start ?? 0).line ?? 0;
    return `${text} in ${(lines[line] ?? '').slice(0, 400)}`;
  });
}
