class ItemsController < ApplicationController
  def show
    id = params[:id].to_i
    @node = doc.at_xpath("//item[id=#{id}]")
  end
end
