/**
 * What is wrong with a request's target so that no route may see it: Next would redirect doubled slashes,
 * answer 500 to escapes that are not UTF-8 and drop trailing slashes, while for the API all of them are
 * unknown paths (contract §1).
 *
 * On the way of every request, so it looks at the target once, character by character, and decodes only what
 * has something to decode.
 * @param target the request target as sent, such as "/api/v1/posts?limit=5"
 * @returns whether a route may see it
 */
export function isPlainTarget(target: string): boolean {
  if (target.charCodeAt(0) !== SLASH) return false;
  let suspicious = false;
  let end = target.length;
  for (let index = 1; index < target.length; index++) {
    const code = target.charCodeAt(index);
    if (code === QUESTION) {
      end = index;
      break;
    }
    if (code === SLASH && target.charCodeAt(index - 1) === SLASH) return false;
    if (code === BACKSLASH) return false;
    if (code === PERCENT || (code === DOT && target.charCodeAt(index - 1) === SLASH)) suspicious = true;
  }
  if (end > 1 && target.charCodeAt(end - 1) === SLASH && FOR_PROGRAMS.test(target)) return false;
  return !suspicious || decodesWell(target.slice(0, end));
}

/** Whoever asks for these has a fixed address; a person who typed one slash too many still gets the page. */
const FOR_PROGRAMS = /^\/(?:api|media|health|info|livez|readyz|metrics)\//;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const QUESTION = 0x3f;
const PERCENT = 0x25;
const DOT = 0x2e;

function decodesWell(path: string): boolean {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return false;
  }
  // Dot segments would make the router and the URL parser see two different paths.
  return !decoded.includes("\0") && !/(^|\/)\.{1,2}(\/|$)/.test(decoded);
}
