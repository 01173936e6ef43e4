import 'dart:html';

void main() {
  final name = Uri.base.queryParameters['name'];
  querySelector('#name')!.text = 'Hello $name';
}
