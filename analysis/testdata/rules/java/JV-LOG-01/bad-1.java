
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  void open(String password) { log.info("signing in with " + password); } // ← here
}
