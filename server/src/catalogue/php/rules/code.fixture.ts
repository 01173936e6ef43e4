import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-EVAL-01',
    bad: [
      `<?php
eval('$result = ' . $_GET['formula'] . ';'); // ← here
`,
      `<?php
assert($_POST['check']); // ← here
`,
      `<?php
$out = preg_replace('/(\\w+)/e', 'strtoupper("$1")', $text); // ← here
`,
    ],
    good: [
      `<?php
eval('return 1 + 1;');
`,
      `<?php
assert($count > 0);
$out = preg_replace('/(\\w+)/i', 'x', $_GET['text']);
`,
      `<?php
$formula = intval($_GET['formula']);
eval("return $formula * 2;");
`,
    ],
  },
  {
    rule: 'PH-CALL-01',
    bad: [
      `<?php
call_user_func($_GET['action']); // ← here
`,
      `<?php
$action = $_REQUEST['action'];
$action(); // ← here
`,
      `<?php
$result = array_map($_POST['function'], [1, 2]); // ← here
`,
    ],
    good: [
      `<?php
$actions = ['list' => 'showList', 'edit' => 'showForm'];
call_user_func($actions[$_GET['action']] ?? 'showList');
`,
      `<?php
$double = fn ($x) => $x * 2;
echo count(array_map($double, [1, 2]));
`,
      `<?php
$action = 'action_' . $_GET['action'];
if (function_exists($action)) {
    $action();
}
`,
    ],
  },
  {
    rule: 'PH-EXTRACT-01',
    bad: [
      `<?php
extract($_REQUEST); // ← here
`,
      `<?php
$input = $_POST;
extract($input); // ← here
`,
      `<?php
parse_str($_SERVER['QUERY_STRING']); // ← here
`,
    ],
    good: [
      `<?php
extract(['name' => 'x']);
`,
      `<?php
extract($_GET, EXTR_SKIP);
`,
      `<?php
parse_str($_SERVER['QUERY_STRING'], $query);
`,
    ],
  },
]
