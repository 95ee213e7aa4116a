// Texts that a service, a memo or a name may hold and that must be shown as they are: none may become an element, a link, a
// command, an icon or a direction of writing.
export const HOSTILE: readonly string[] = [
  '<img src=x onerror="window.hacked=1">',
  '<script>window.hacked=1</script>',
  '"><svg onload=window.hacked=1>',
  'javascript:window.hacked=1',
  '[a link](command:workbench.action.quit)',
  'command:workbench.action.closeWindow',
  '$(trash) $(x~spin)',
  '**bold** `code` ![image](https://x.example/a.png)',
  '\u202eright to left\u202c \u2066isolated\u2069',
  '\u001b[31mred\u001b[0m \u0007 \u0000 end',
  '{{7*7}} ${window.hacked=1} {0} {1}',
  `one long line ${'x'.repeat(1_000_000)}`,
];
