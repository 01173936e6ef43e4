
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.net.ssl.*; import java.security.cert.*;
public class Tool {
  void open() { HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true); } // ← here
}
