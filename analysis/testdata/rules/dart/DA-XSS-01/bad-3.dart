import 'dart:html';

void main() {
  final name = Uri.base.queryParameters['name'];
  querySelector('#name')!.innerHtml = 'Hello $name'; // ← here
}
