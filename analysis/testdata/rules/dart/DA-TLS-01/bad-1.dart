import 'dart:io';

HttpClient open() {
  final client = HttpClient();
  client.badCertificateCallback = (cert, host, port) => true; // ← here
  return client;
}
