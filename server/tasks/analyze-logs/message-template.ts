// Longer messages differ only in what they carry.
const maxLength = 400;

const digitsOnly = /^\d+$/;
const ipv4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{1,5}|\/\d{1,2})?$/;
const ipv6 = /^(?=[^:]*:[^:]*:)[0-9a-f:]{3,39}(?:%\w{1,15})?$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hex = /^(?:0x[0-9a-f]{1,64}|[0-9a-f]{8,128})$/i;
const date = /^\d{4}[-/]\d\d[-/]\d\d(?:T[\d:.,]{5,20}(?:Z|[+-]\d\d:?\d\d)?)?$/;
const clock = /^\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?$/;
const idLike = /^[A-Za-z0-9_-]{20,200}$/;
const fileLike = /\.[A-Za-z]\w{0,7}(?::\d{1,7}){0,2}$/;

/**
 * What messages of one kind have in common: numbers, ids, addresses, paths and quoted texts are
 * replaced by placeholders such as `<n>` and `<ip>`.
 *
 * @example templateOf('Timeout after 3000 ms for 192.0.2.7') // "Timeout after <n> ms for <ip>"
 */
export function templateOf(message: string): string {
  const text = message.length > maxLength ? message.slice(0, maxLength) : message;
  let result = "";
  let copied = 0;
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (isQuote(code) && (code !== 39 || i === 0 || isDelimiter(text.charCodeAt(i - 1)))) {
      const close = text.indexOf(text[i] as string, i + 1);
      if (close > i + 1 && close - i <= 200) {
        result += `${text.slice(copied, i + 1)}<text>`;
        copied = close;
        i = close + 1;
        continue;
      }
    }
    if (isDelimiter(code)) {
      i++;
      continue;
    }
    const start = i;
    let mayVary = false;
    let isUrl = false;
    for (; i < text.length; i++) {
      const next = text.charCodeAt(i);
      if (isDelimiter(next) && !belongsInside(text, i, next, isUrl)) break;
      mayVary ||= next === 47 || isDigit(next);
      isUrl ||= next === 47 && text.startsWith(":/", i - 2);
    }
    if (!mayVary) continue;
    const end = withoutPunctuation(text, start, i);
    const word = text.slice(start, end);
    const placeholder = placeholderFor(word);
    if (placeholder === word) continue;
    result += text.slice(copied, start) + placeholder;
    copied = end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** What requests to one endpoint have in common: no query, and placeholders for ids in the path. */
export function templateOfPath(target: string): string {
  const end = target.search(/[?#]/);
  const path = target.slice(0, end < 0 ? maxLength : Math.min(end, maxLength));
  return path
    .split("/")
    .map((segment) => (/\d/.test(segment) ? placeholderFor(segment) : segment))
    .join("/");
}

/** A word that has a digit or a slash, made general; the word itself when nothing in it varies. */
function placeholderFor(word: string): string {
  if (digitsOnly.test(word)) return "<n>";
  if (word.includes("/")) {
    if (word.includes("://")) return "<url>";
    if (ipv4.test(word)) return "<ip>";
    if (/^\.{0,2}\//.test(word) && word.length > 1) return "<path>";
    if (date.test(word)) return "<time>";
    const isPath = fileLike.test(word) || word.indexOf("/") !== word.lastIndexOf("/");
    return isPath ? "<path>" : numbersReplaced(word);
  }
  if (ipv4.test(word)) return "<ip>";
  if (uuid.test(word)) return "<uuid>";
  if (clock.test(word) || date.test(word)) return "<time>";
  if (ipv6.test(word)) return "<ip>";
  if (hex.test(word) && /[a-f]/i.test(word)) return "<hex>";
  // Names of things have a digit here and there; in random text every sixth character is one.
  if (idLike.test(word) && word.replace(/\D/g, "").length * 8 >= word.length) return "<id>";
  return numbersReplaced(word);
}

/** `12.5%` becomes `<n>%`, `worker-12` becomes `worker-<n>`. */
function numbersReplaced(word: string): string {
  return word.replace(/\d+(?:[.,]\d+)*/g, "<n>");
}

/** The end of a word without the punctuation that follows it in a sentence. */
function withoutPunctuation(text: string, start: number, end: number): number {
  let last = end;
  while (last > start + 1 && /[.:!?]/.test(text[last - 1] as string)) last--;
  return last;
}

/** A delimiter that does not end the word: the comma in `1,024`, the query of a URL. */
function belongsInside(text: string, index: number, code: number, isUrl: boolean): boolean {
  if (code === 44) {
    return isDigit(text.charCodeAt(index - 1)) && isDigit(text.charCodeAt(index + 1));
  }
  return isUrl && (code === 61 || code === 38 || code === 59);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96;
}

const delimiters = new Set([..." \t,;()[]{}<>=|\"'`*&"].map((char) => char.charCodeAt(0)));
const isAsciiDelimiter = Array.from({ length: 128 }, (_, code) => delimiters.has(code));

function isDelimiter(code: number): boolean {
  return code < 128 && isAsciiDelimiter[code] === true;
}
