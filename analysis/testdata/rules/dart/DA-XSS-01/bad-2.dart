import 'dart:io';

Future<void> main() async {
  final server = await HttpServer.bind('0.0.0.0', 80);
  await for (final request in server) {
    request.response.headers.contentType = ContentType.html;
    request.response.write('<p>${request.uri.queryParameters['q']}</p>'); // ← here
    await request.response.close();
  }
}
