import { readObject, readObjects, type JsonObject } from "./read-value.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface CutList {
  /** Complete items. */
  items: JsonObject[];
  /** Complete members of the item that was cut. */
  rest: JsonObject | null;
}

/** The readable part of a JSON list of objects whose end is missing. In linear time. */
export function readCutList(body: Buffer): CutList {
  let depth = 0;
  let inString = false;
  /** End of the last complete item; beginning of the next; end of its last complete member. */
  let itemsEnd = 0;
  let restStart = 0;
  let restEnd = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++;
      if (depth === 2) restStart = restEnd = at;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth--;
      if (depth === 1) itemsEnd = at + 1;
    } else if (byte === COMMA && depth === 2) {
      restEnd = at;
    }
  }
  return {
    items: readObjects(parse(body.subarray(0, itemsEnd), "]"), 200),
    rest: restStart < itemsEnd ? null : readObject(parse(body.subarray(restStart, restEnd), "}")),
  };
}

function parse(part: Buffer, end: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(part) + end);
  } catch {
    return null;
  }
}
