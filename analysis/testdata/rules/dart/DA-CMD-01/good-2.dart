import 'dart:io';

Future<void> build(String target) async {
  await Process.run('flutter', ['build', target], runInShell: true);
}
