"use client";
// Inside the shell, so that navigation stays usable.
export { default } from "#app/error.tsx";
