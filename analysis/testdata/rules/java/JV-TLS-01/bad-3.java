
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.net.ssl.*; import java.security.cert.*;
public class Tool {
  static class Any implements HostnameVerifier {
          public boolean verify(String host, SSLSession session) { return true; } // ← here
        }
}
