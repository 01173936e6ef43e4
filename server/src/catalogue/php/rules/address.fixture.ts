import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-SSRF-01',
    bad: [
      `<?php
$image = file_get_contents($_GET['url']); // ← here
`,
      `<?php
$curl = curl_init();
curl_setopt($curl, CURLOPT_URL, $_POST['address']); // ← here
curl_exec($curl);
`,
      `<?php
$host = $_GET['host'];
$answer = wp_remote_get("https://$host/status"); // ← here
`,
      `<?php
use Illuminate\\Http\\Request;
use Illuminate\\Support\\Facades\\Http;
class Proxy {
    public function show(Request $request) {
        return Http::get($request->input('target')); // ← here
    }
}
`,
    ],
    good: [
      `<?php
file_get_contents('https://api.example.com/v1/' . urlencode($_GET['name']));
`,
      `<?php
$host = parse_url($_GET['url'], PHP_URL_HOST);
if (!in_array($host, ['images.example.com'], true)) {
    exit;
}
file_get_contents($_GET['url']);
`,
      `<?php
$hosts = ['eu' => 'https://eu.example.com', 'ng' => 'https://ng.example.com'];
$curl = curl_init($hosts[$_GET['region']]);
`,
      `<?php
function fetch(string $url) {
    return file_get_contents($url);
}
`,
    ],
  },
  {
    rule: 'PH-REDIR-01',
    bad: [
      `<?php
header('Location: ' . $_GET['next']); // ← here
`,
      `<?php
$next = $_REQUEST['return'] ?? '/';
header("Location: $next"); // ← here
exit;
`,
      `<?php
use Symfony\\Component\\HttpFoundation\\Request;
use Symfony\\Component\\HttpFoundation\\RedirectResponse;
class Back {
    public function go(Request $request) {
        return new RedirectResponse($request->query->get('to')); // ← here
    }
}
`,
      `<?php
wp_redirect($_GET['redirect_to']); // ← here
`,
    ],
    good: [
      `<?php
header('Location: /users/' . $_GET['id']);
`,
      `<?php
header('Location: ' . $_SERVER['PHP_SELF']);
`,
      `<?php
$next = $_GET['next'];
if (!preg_match('#^/[a-z]+$#', $next)) {
    $next = '/';
}
header("Location: $next");
`,
      `<?php
$pages = ['home' => '/', 'shop' => '/shop'];
header('Location: ' . ($pages[$_GET['next']] ?? '/'));
`,
      `<?php
wp_safe_redirect($_GET['redirect_to']);
`,
    ],
  },
]
