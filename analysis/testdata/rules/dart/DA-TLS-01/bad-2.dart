import 'dart:io';

final client = HttpClient()..badCertificateCallback = (X509Certificate cert, String host, int port) => true; // ← here
