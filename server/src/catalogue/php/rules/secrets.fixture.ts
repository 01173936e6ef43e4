import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-HASH-01',
    bad: [
      `<?php
$hash = md5($_POST['password']); // ← here
`,
      `<?php
$hash = sha1($salt . $password); // ← here
`,
      `<?php
$hash = hash('sha256', $user->password); // ← here
`,
    ],
    good: [
      `<?php
$hash = password_hash($_POST['password'], PASSWORD_DEFAULT);
`,
      `<?php
$tag = md5($body);
$key = sha1($passenger . $bypass);
`,
      `<?php
$hash = hash('sha256', $token);
`,
    ],
  },
  {
    rule: 'PH-RAND-01',
    bad: [
      `<?php
$token = md5(uniqid(rand(), true)); // ← here
`,
      `<?php
function generatePassword($length) {
    $out = '';
    for ($i = 0; $i < $length; $i++) {
        $out .= chr(mt_rand(97, 122)); // ← here
    }
    return $out;
}
`,
      `<?php
$user->reset_code = rand(100000, 999999); // ← here
`,
    ],
    good: [
      `<?php
$token = bin2hex(random_bytes(32));
`,
      `<?php
$delay = mt_rand(1, 10);
$name = uniqid('file_');
`,
      `<?php
$banner = $banners[array_rand($banners)];
`,
    ],
  },
  {
    rule: 'PH-CRYPTO-01',
    bad: [
      `<?php
openssl_encrypt($text, 'des-ede3-cbc', $key); // ← here
`,
      `<?php
openssl_encrypt($text, 'AES-128-ECB', $key); // ← here
`,
      `<?php
const METHOD = 'rc4';
openssl_decrypt($text, METHOD, $key); // ← here
`,
    ],
    good: [
      `<?php
openssl_encrypt($text, 'aes-256-gcm', $key, 0, $nonce, $tag);
`,
      `<?php
openssl_encrypt($text, $method, $key);
`,
      `<?php
sodium_crypto_secretbox($text, $nonce, $key);
`,
    ],
  },
  {
    rule: 'PH-TLS-01',
    bad: [
      `<?php
curl_setopt($curl, CURLOPT_SSL_VERIFYPEER, false); // ← here
`,
      `<?php
curl_setopt($curl, CURLOPT_SSL_VERIFYHOST, 0); // ← here
`,
      `<?php
curl_setopt_array($curl, [
    CURLOPT_URL => 'https://example.com',
    CURLOPT_SSL_VERIFYPEER => false, // ← here
]);
`,
    ],
    good: [
      `<?php
curl_setopt($curl, CURLOPT_SSL_VERIFYPEER, true);
`,
      `<?php
curl_setopt($curl, CURLOPT_SSL_VERIFYPEER, $config['verify']);
`,
      `<?php
curl_setopt($curl, CURLOPT_RETURNTRANSFER, 1);
`,
    ],
  },
]
