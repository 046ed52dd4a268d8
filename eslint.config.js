import js from "@eslint/js";
import next from "@next/eslint-plugin-next";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

const typedRules = {
  "@typescript-eslint/no-floating-promises": "error",
  // React event handlers may be async; their errors are reported either way.
  "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
  "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
  "@typescript-eslint/prefer-promise-reject-errors": "error",
};

/* `npm test` sets it: without rules that need types, or compile components, which take four fifths of the time. */
const isFast = Boolean(process.env.LINT_FAST);

export default tseslint.config(
  {
    ignores: [
      ".next/",
      "node_modules/",
      "data/",
      "dist/",
      "examples/",
      "prisma/generated/",
      "next-env.d.ts",
      "test-results/",
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: isFast ? "off" : "error" } },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [isFast ? tseslint.configs.recommended : tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: !isFast } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrors: "all", ignoreRestSiblings: true },
      ],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      ...(isFast ? {} : typedRules),
    },
  },
  {
    files: ["{app,components,lib/client}/**/*.{ts,tsx}"],
    ...(isFast ? {} : { extends: [reactHooks.configs.flat.recommended] }),
    plugins: { "@next/next": next, "react-hooks": reactHooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "warn",
      ...next.configs.recommended.rules,
      ...next.configs["core-web-vitals"].rules,
      // /media serves small, re-encoded pictures; Next would encode them again.
      "@next/next/no-img-element": "off",
    },
  },
  // Output at the terminal.
  { files: ["lib/runtime/**", "tests/**"], rules: { "no-console": "off" } },
  { files: ["**/*.{js,mjs}"], languageOptions: { globals: globals.node } },
);
