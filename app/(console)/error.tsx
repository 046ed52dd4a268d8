"use client";
// The same sentence, inside the shell: navigation stays usable when one page fails.
export { default } from "#app/error.tsx";
