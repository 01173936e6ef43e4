using System.DirectoryServices;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var searcher = new DirectorySearcher("(uid=" + id + ")"); // ← here
    return Ok(searcher.FindOne());
  }
}
