class ItemsController < ApplicationController
  def show
    @node = doc.xpath("//user[@name=$name]", nil, name: params[:name])
  end
end
