import { clsx, type ClassValue } from "clsx";

/*
 * "The later one wins where two set the same thing", for the utilities this project uses. The general answer,
 * tailwind-merge, weighs nine kilobytes on every page, a quarter of what the desk's first load leaves for all of
 * our own code; it is the oracle of the test, which compares every pair of class names in the sources.
 */

/** Spacing, sizes and colours have open ends; what is listed decides which property a name sets. */
const rules: readonly [RegExp, string | ((match: RegExpExecArray) => string)][] = [
  [
    /^(block|inline|inline-block|flex|inline-flex|grid|inline-grid|contents|hidden|flow-root|list-item|(inline-)?table(-(cell|row|row-group|header-group|footer-group|column|caption))?)$/,
    "display",
  ],
  [/^(static|fixed|absolute|relative|sticky)$/, "position"],
  [/^(visible|invisible|collapse)$/, "visibility"],
  [/^(overflow(?:-[xy])?|overscroll(?:-[xy])?)-/, own],
  [/^-?(inset-x|inset-y|inset|start|end|top|right|bottom|left)-(?=[\d[(]|px|auto|full)/, own],
  [/^(?:flex)-(?:row|col)(?:-reverse)?$/, "flex-direction"],
  [/^flex-(?:wrap|nowrap)/, "flex-wrap"],
  [/^(flex|grow|shrink|basis|order)(?:-|$)/, own],
  [/^(col|row)-(start|end)-/, (match) => `${match[1]}-${match[2]}`],
  [/^(col|row)-(?:span-|auto$)/, (match) => `${match[1]}-span`],
  [
    /^(grid-cols|grid-rows|grid-flow|auto-cols|auto-rows|gap-x|gap-y|gap|space-x|space-y|columns|aspect)-/,
    own,
  ],
  [/^(justify-items|justify|items|self|content|place)-(?!\[|\()/, own],
  [/^(content)-[[(]/, "content-value"],
  [/^-?([pm][xytrblse]?)-/, own],
  [/^(min-w|min-h|max-w|max-h|size|w|h)-/, own],
  [/^text-(?:left|center|right|justify|start|end)$/, "text-align"],
  [/^text-(?:wrap|nowrap|balance|pretty)$/, "text-wrap"],
  [/^text-(?:\d+)$/, "font-size"],
  [/^text-/, "text-color"],
  [/^font-(?:sans|serif|mono)$/, "font-family"],
  [/^font-/, "font-weight"],
  [
    /^(leading|tracking|line-clamp|align|opacity|animate|transition|scale-x|scale-y|scale|rotate|underline-offset|list)(?:-|$)/,
    own,
  ],
  [/^-?(translate-x|translate-y|translate|z|scale-x|scale-y|rotate)-/, own],
  [/^(underline|overline|line-through|no-underline)$/, "text-decoration"],
  [/^decoration-(?:\d+|auto|from-font|\[\d)/, "decoration-width"],
  [/^decoration-(?:solid|double|dotted|dashed|wavy)$/, "decoration-style"],
  [/^decoration-/, "decoration-color"],
  [/^(?:whitespace)-/, "whitespace"],
  [/^wrap-/, "wrap"],
  [/^(?:truncate|text-ellipsis|text-clip)$/, "text-overflow"],
  [/^(?:italic|not-italic)$/, "font-style"],
  [/^bg-/, "bg-color"],
  [/^border-(?:collapse|separate)$/, "border-collapse"],
  [/^(border-spacing(?:-[xy])?)-/, own],
  [/^border(-[xytrblse])?(?:-\d+)?$/, (match) => `border-w${match[1] ?? ""}`],
  [/^border(-[xytrblse])?-/, (match) => `border-color${match[1] ?? ""}`],
  [/^divide-(x|y)/, (match) => `divide-${match[1]}`],
  [/^divide-/, "divide-color"],
  [/^rounded(-[trbl]{1,2}|-[se]{1,2})?(?:-|$)/, (match) => `rounded${match[1] ?? ""}`],
  [/^-?outline-offset-/, "outline-offset"],
  [/^outline(?:-\d+)?$/, "outline-w"],
  [/^outline-(?:none|solid|dashed|dotted|hidden)$/, "outline-style"],
  [/^outline-/, "outline-color"],
  [/^ring(?:-\d+)?$/, "ring-w"],
  [/^ring-/, "ring-color"],
  [
    /^(shadow|blur|cursor|resize|select|touch|appearance|field-sizing|pointer-events|object|accent|fill|stroke)(?:-|$)/,
    own,
  ],
];

function own(match: RegExpExecArray): string {
  return match[1] ?? "";
}

/** What a later name takes along beside its own property. */
const alsoSets: Record<string, readonly string[]> = {
  overflow: ["overflow-x", "overflow-y"],
  overscroll: ["overscroll-x", "overscroll-y"],
  inset: ["inset-x", "inset-y", "start", "end", "top", "right", "bottom", "left"],
  "inset-x": ["start", "end", "right", "left"],
  "inset-y": ["top", "bottom"],
  flex: ["basis", "grow", "shrink"],
  gap: ["gap-x", "gap-y"],
  p: ["px", "py", "ps", "pe", "pt", "pr", "pb", "pl"],
  px: ["ps", "pe", "pr", "pl"],
  py: ["pt", "pb"],
  m: ["mx", "my", "ms", "me", "mt", "mr", "mb", "ml"],
  mx: ["ms", "me", "mr", "ml"],
  my: ["mt", "mb"],
  size: ["w", "h"],
  "font-size": ["leading"],
  "line-clamp": ["display", "overflow"],
  translate: ["translate-x", "translate-y"],
  rounded: ["rounded-t", "rounded-r", "rounded-b", "rounded-l", "rounded-s", "rounded-e"],
  "border-w": [
    "border-w-x",
    "border-w-y",
    "border-w-s",
    "border-w-e",
    "border-w-t",
    "border-w-r",
    "border-w-b",
    "border-w-l",
  ],
  "border-w-x": ["border-w-s", "border-w-e", "border-w-r", "border-w-l"],
  "border-w-y": ["border-w-t", "border-w-b"],
};

const known = new Map<string, { scope: string; group: string | null }>();

/** The variants a class stands under, and the property it sets; null for what never collides. */
function read(name: string): { scope: string; group: string | null } {
  let found = known.get(name);
  if (!found) {
    // The last colon outside brackets parts variants from the utility.
    let depth = 0;
    let cut = 0;
    for (let i = 0; i < name.length; i++) {
      const sign = name[i];
      if (sign === "[" || sign === "(") depth += 1;
      else if (sign === "]" || sign === ")") depth -= 1;
      else if (sign === ":" && depth === 0) cut = i + 1;
    }
    const utility = name.slice(cut);
    let group: string | null = null;
    for (const [pattern, of] of rules) {
      const match = pattern.exec(utility);
      if (!match) continue;
      group = typeof of === "string" ? of : of(match);
      break;
    }
    found = { scope: name.slice(0, cut).split(":").sort().join(":"), group };
    known.set(name, found);
  }
  return found;
}

/** Joins class names; the later one wins where two set the same thing. */
export function cn(...classes: ClassValue[]): string {
  const names = clsx(classes).split(/\s+/);
  const taken = new Set<string>();
  const kept: string[] = [];
  for (let i = names.length - 1; i >= 0; i--) {
    const name = names[i];
    if (!name) continue;
    const { scope, group } = read(name);
    if (group !== null) {
      if (taken.has(scope + group)) continue;
      for (const each of [group, ...(alsoSets[group] ?? [])]) taken.add(scope + each);
    }
    kept.unshift(name);
  }
  return kept.join(" ");
}
