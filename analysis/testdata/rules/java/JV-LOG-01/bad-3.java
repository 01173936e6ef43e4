
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  void open(String apiKey) { System.out.println("key: " + apiKey); } // ← here
}
