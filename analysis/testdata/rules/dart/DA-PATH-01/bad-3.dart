import 'dart:io';

void serve(HttpServer server) {
  server.listen((HttpRequest request) async {
    final folder = Directory('data/${request.uri.path}'); // ← here
    await folder.delete(recursive: true);
  });
}
