export function Mark({ className = "size-6" }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 24 24" fill="none" stroke="currentColor" className={className}>
      <path strokeWidth="2.5" d="M12.5 1.5v3M12.5 9v1M12.5 14v1M12.5 19.5v3" />
      <path
        strokeWidth="1.75"
        strokeLinecap="round"
        d="M1.75 6.75c1.5-2 3-2 4.5 0 1.4 1.9 2.8 0 5 0h11M1.75 12c1.5-2 3-2 4.5 0 1.4 1.9 2.8 0 5 0h11M1.75 17.25c1.5-2 3-2 4.5 0 1.4 1.9 2.8 0 5 0h11"
      />
    </svg>
  );
}
