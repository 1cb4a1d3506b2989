/** What a tool has of the call that it serves. */

import * as callContext from 'dacapo:handler/context@0.1.0';
import { elicit, elicitAll } from 'dacapo:handler/elicitation@0.1.0';
import { recall, remember } from 'dacapo:handler/once@0.1.0';
import { report } from 'dacapo:handler/progress@0.1.0';
import { fieldsOf, replyOf } from './form.js';

/** How a tool talks to the user and to the host. */
export class Context {
  /**
   * Asks the user one question: `{ message, fields }` for a form to fill in, `{ message, url }` for a page to visit. `key` is its
   * name in the protocol, by default `elicit-<N>`.
   *
   * @returns `{ action: 'accept', content }`, `{ action: 'decline' }` or `{ action: 'cancel' }`
   */
  elicit(question) {
    return replyOf(elicit(forHost(question)));
  }

  /** Asks several questions in one round trip. The replies come in the order of the questions. */
  elicitAll(questions) {
    return elicitAll(questions.map(forHost)).map(replyOf);
  }

  /** Reports how far the call has come. `done` must increase within a run. */
  progress(done, total, message) {
    report(done, total, message);
  }

  /**
   * Calls `workOut` on the first run that gets here, and returns what it returned on every later one. The value must be JSON, and
   * should be small: it travels with the client.
   */
  once(name, workOut) {
    const kept = recall(name);
    if (kept !== undefined) return JSON.parse(kept);
    const value = workOut();
    remember(name, JSON.stringify(value));
    return value;
  }

  /** The name of the tool called. */
  get target() {
    return callContext.target();
  }

  /** The protocol revision that the client speaks. */
  get protocolVersion() {
    return callContext.protocolVersion();
  }

  /** Who calls, as the host has verified; `undefined` where callers are not told apart. */
  get principal() {
    return callContext.principal();
  }

  /** What the client can ask its user: `{ form, url }`. */
  get askable() {
    return callContext.askable();
  }
}

function forHost({ key, message, fields, url }) {
  const question =
    url === undefined ? { tag: 'form', val: { message, fields: fieldsOf(fields) } } : { tag: 'url', val: { message, url } };
  return { key, question };
}
