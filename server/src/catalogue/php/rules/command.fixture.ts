import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-CMD-01',
    bad: [
      `<?php
$host = $_GET['host'];
system("ping -c 1 " . $host); // ← here
`,
      `<?php
echo \`nslookup {$_POST['domain']}\`; // ← here
`,
      `<?php
function convert($file) {
    exec("convert $file out.png", $output); // ← here
}
convert($_FILES['image']['name']);
`,
      `<?php
use Symfony\\Component\\Process\\Process;
$process = Process::fromShellCommandline('git log ' . $_GET['branch']); // ← here
`,
    ],
    good: [
      `<?php
system('ping -c 1 ' . escapeshellarg($_GET['host']));
`,
      `<?php
use Symfony\\Component\\Process\\Process;
$process = new Process(['git', 'log', $_GET['branch']]);
`,
      `<?php
$port = (int) $_GET['port'];
exec("lsof -i :$port");
`,
      `<?php
$tools = ['git' => 'git --version', 'php' => 'php -v'];
if (!isset($tools[$_GET['tool']])) {
    exit;
}
system($tools[$_GET['tool']]);
`,
      `<?php
if (!preg_match('/^[a-z0-9.]+$/', $_GET['host'])) {
    die('no');
}
system('ping -c 1 ' . $_GET['host']);
`,
    ],
  },
]
