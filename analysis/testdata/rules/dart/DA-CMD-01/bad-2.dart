import 'dart:io';

Future<void> main() async {
  final server = await HttpServer.bind('0.0.0.0', 80);
  await for (final request in server) {
    final dir = request.uri.queryParameters['dir'];
    await Process.run('sh', ['-c', 'ls $dir']); // ← here
  }
}
