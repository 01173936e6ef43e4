import 'dart:io';

void serve(HttpServer server) {
  server.listen((HttpRequest request) {
    final next = request.uri.queryParameters['next']!;
    request.response.redirect(Uri.parse(next)); // ← here
  });
}
