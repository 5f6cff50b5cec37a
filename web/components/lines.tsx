/** Text that a person has typed, with its line breaks; nothing for none. */
export const Lines = ({ text, isProse }: { text: string | null | undefined; isProse?: boolean }) =>
  text && (
    <p className={isProse ? 'lines prose' : 'lines'} dir="auto">
      {text}
    </p>
  );
