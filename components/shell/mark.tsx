/** The mark: three lines of water through a gate. Takes the colour of its text; the name stands beside it. */
export function Mark({ className = "size-6" }: { className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      className={className}
    >
      <path strokeWidth="2" d="M12 3v4.5M12 16.5V21" />
      <path strokeWidth="1.75" d="M2.5 8.5c3 0 4 3.5 6.5 3.5M2.5 12H21.5M2.5 15.5c3 0 4-3.5 6.5-3.5" />
    </svg>
  );
}
