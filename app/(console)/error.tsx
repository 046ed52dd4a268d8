"use client";
// The error page inside the shell: navigation stays usable when one page fails.
export { default } from "#app/error.tsx";
