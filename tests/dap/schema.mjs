// Checks messages against the protocol's official JSON schema.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { OURS, typeOf } from './conformance.mjs';

const Ajv = createRequire(import.meta.url)('ajv-draft-04').default;

const LONGEST = 400;

/** What is wrong with the messages by a schema's file, one text for each finding. */
export function violations(messages, file) {
  const ajv = new Ajv({ strict: false, allErrors: false });
  ajv.addSchema({ ...JSON.parse(fs.readFileSync(file, 'utf8')), id: 'dap' });
  const found = [];
  for (const message of messages) {
    const name = OURS.test(message.command ?? '') ? generic(message) : typeOf(message);
    const check = ajv.getSchema(`dap#/definitions/${name}`);
    if (!check) {
      found.push(`the protocol has no ${name}`);
    } else if (!check(message)) {
      const { instancePath, message: text } = check.errors[0];
      found.push(`${name}: ${instancePath} ${text} in ${JSON.stringify(message).slice(0, LONGEST)}`);
    }
  }
  return found;
}

/** What a message of our own is to clients that do not know it. */
function generic(message) {
  return message.type === 'request' ? 'Request' : message.success ? 'Response' : 'ErrorResponse';
}
