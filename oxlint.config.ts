import { defineConfig, type OxlintOverride } from "oxlint";

/*
 * `npm test` lints without the rules that need types; `npm test -- --all` and `npm run lint` use them, too
 * (`--type-aware`).
 *
 * The layers: a folder of `lib` imports only folders that stand before it. docs/architecture.md draws them.
 */

export const layers = [
  "auth",
  "http",
  "audit",
  "fediverse",
  "hosts",
  "media",
  "filters",
  "consent",
  "history",
  "search",
  "checks",
  "queue",
  "posts",
  "review",
  "blocking",
  "stats",
  "ingest",
  "sources",
  "streams",
  "topical",
  "keys",
  "alerts",
  "mail",
  "members",
  "metrics",
  "import-fenliu",
  "jobs",
  "runtime",
];

/** Modules that may run in a browser: hooks and stores, and the schemas of the domains. */
const browserModules = ["!#lib/client/**", "!#lib/desk/**", "!#lib/**/schema.ts", "!#lib/**/*-schema.ts"];
const sql = ["#lib/**/sql.ts", "#lib/**/*-sql.ts"];
const database = ["#lib/db.ts", "#lib/db-*.ts", "#lib/transaction.ts", "#prisma/**"];

interface Pattern {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
}

const screens: Pattern = {
  group: ["#app/**", "#components/**"],
  message: "lib imports no screens: pass in the functions.",
};
const browserCode: Pattern = {
  group: ["#lib/client/**", "#lib/desk/**"],
  message: "Move code that the server shares into the domain's schema.ts.",
};
const serverCode: Pattern = {
  group: ["#lib/**", ...browserModules],
  allowTypeImports: true,
  message: "This runs in browsers: it imports schemas, lib/client and lib/desk.",
};

const limit = (files: string, ...patterns: Pattern[]): OxlintOverride => ({
  files: [files],
  rules: { "no-restricted-imports": ["error", { patterns }] },
});

const typedRules = [
  "await-thenable",
  "no-array-delete",
  "no-base-to-string",
  "no-duplicate-type-constituents",
  "no-floating-promises",
  "no-for-in-array",
  "no-implied-eval",
  "no-redundant-type-constituents",
  "no-unnecessary-type-assertion",
  "no-unsafe-argument",
  "no-unsafe-assignment",
  "no-unsafe-call",
  "no-unsafe-enum-comparison",
  "no-unsafe-member-access",
  "no-unsafe-return",
  "no-unsafe-unary-minus",
  "only-throw-error",
  "prefer-promise-reject-errors",
  "require-await",
  "restrict-plus-operands",
  "restrict-template-expressions",
  "unbound-method",
].map((name) => `typescript/${name}`);
const all = (names: string[], level: "error" | "off") =>
  Object.fromEntries(names.map((name) => [name, level]));

export default defineConfig({
  plugins: ["typescript", "oxc", "import"],
  categories: { correctness: "error" },
  ignorePatterns: ["examples/", "dist/", "data*/", "prisma/generated/", "next-env.d.ts", "test-results/"],
  rules: {
    eqeqeq: ["error", "always", { null: "ignore" }],
    "no-console": "error",
    "no-unused-vars": [
      "error",
      { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrors: "all", ignoreRestSiblings: true },
    ],
    "import/no-cycle": "error",
    // Named imports are checked by the compiler.
    "import/default": "off",
    "import/named": "off",
    "import/namespace": "off",
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    ...all(typedRules, "error"),
    ...all(
      ["no-misused-spread", "require-array-sort-compare", "no-meaningless-void-operator"].map(
        (name) => `typescript/${name}`,
      ),
      "off",
    ),
    "typescript/no-useless-default-assignment": "off",
  },
  overrides: [
    { files: ["**/*.{js,mjs}"], rules: all(typedRules, "off") },
    {
      files: ["{app,components,lib/client}/**/*.{ts,tsx}"],
      plugins: ["typescript", "oxc", "import", "react", "nextjs"],
      rules: {
        "react/exhaustive-deps": "error",
        // /media serves small, re-encoded pictures; Next would encode them again.
        "nextjs/no-img-element": "off",
      },
    },
    // Output at the terminal.
    { files: ["lib/runtime/**", "tests/**"], rules: { "no-console": "off" } },
    limit("lib/*.ts", screens, {
      group: ["#lib/*/**"],
      message: "A leaf imports leaves: move the code into the leaf, or the caller up.",
    }),
    ...layers.map((layer, place) =>
      limit(
        `lib/${layer}/**`,
        screens,
        browserCode,
        {
          group: layers.slice(place + 1).map((above) => `#lib/${above}/**`),
          message: "This folder is above: move the shared code down, or call it from above.",
        },
        {
          group: [...sql, `!#lib/${layer}/**`],
          message: "A domain calls another domain's operations, never its SQL.",
        },
      ),
    ),
    limit("lib/{client,desk}/**", screens, serverCode),
    limit("components/**", serverCode, {
      group: [...database, ...sql],
      message: "Call an operation in app.",
    }),
    limit("app/**", { group: [...database, ...sql], message: "Call an operation of a domain." }),
    { files: ["**/*.test.{ts,tsx}"], rules: { "no-restricted-imports": "off" } },
  ],
});
