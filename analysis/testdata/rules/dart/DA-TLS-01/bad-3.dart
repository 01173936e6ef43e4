import 'dart:io';

Future<Socket> connect(String host) {
  return SecureSocket.connect(host, 443, onBadCertificate: (cert) => true); // ← here
}
